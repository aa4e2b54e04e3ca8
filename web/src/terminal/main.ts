import { mount } from 'svelte';
import '../lib/tokens.css';
import Terminal from './Terminal.svelte';

document.documentElement.dataset['look'] = 'felt';
mount(Terminal, { target: document.body });
