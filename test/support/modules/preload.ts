/** Loaded first in each worker: keeps compiled modules on disk, and loads packages as the program has them. */

import {enableCompileCache} from '#build/compile-cache.js';

enableCompileCache();
await import('#build/patch-hook.ts');
