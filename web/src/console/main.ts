import { mount } from 'svelte';
import '../lib/tokens.css';
import Console from './Console.svelte';

document.documentElement.dataset['look'] = 'desk';
mount(Console, { target: document.body });
