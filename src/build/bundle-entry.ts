import {enableCompileCache} from 'node:module';
import {join} from 'node:path';

// The start file of a bundle. Node's compile cache is stored next to it, so that it is removed with the bundle.
enableCompileCache(join(import.meta.dirname, 'compiled'));

const {main} = await import('#cli.ts');
await main(process.argv.slice(2));
