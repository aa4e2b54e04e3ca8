import { mount } from 'svelte';
import '../lib/tokens.css';
import Landing from './Landing.svelte';

document.documentElement.dataset['look'] = 'felt';
mount(Landing, { target: document.body });
