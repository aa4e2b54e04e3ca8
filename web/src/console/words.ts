// The words of the console, in three languages.

import { catalogue } from '../lib/language.svelte';
import { en } from './words/en';
import { hans } from './words/hans';
import { hant } from './words/hant';

export const words = catalogue(en, hans, hant);
