import {runBundle} from './run-bundle.ts';

await runBundle();
