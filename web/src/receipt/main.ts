import { mount } from 'svelte';
import '../lib/tokens.css';
import Receipt from './Receipt.svelte';

document.documentElement.dataset['look'] = 'desk';
mount(Receipt, { target: document.body });
