import { mount } from 'svelte';
import '../lib/tokens.css';
import Account from './Account.svelte';

document.documentElement.dataset['look'] = 'desk';
mount(Account, { target: document.body });
