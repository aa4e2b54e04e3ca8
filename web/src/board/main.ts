import { mount } from 'svelte';
import '../lib/tokens.css';
import Board from './Board.svelte';

document.documentElement.dataset['look'] = 'felt';
mount(Board, { target: document.body });
