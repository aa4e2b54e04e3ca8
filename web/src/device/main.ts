import { mount } from 'svelte';
import '../lib/tokens.css';
import Device from './Device.svelte';

document.documentElement.dataset['look'] = 'desk';
mount(Device, { target: document.body });
