import {enableCompileCache} from 'node:module';
import {join} from 'node:path';

// The start file of a bundle. What Node has compiled is kept beside it, so that it goes when the bundle goes.
enableCompileCache(join(import.meta.dirname, 'compiled'));

const {main} = await import('#cli.ts');
await main(process.argv.slice(2));
