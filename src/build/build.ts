import {relative} from 'node:path';
import {buildProgram, root} from './build-program.ts';
import {makeCodeCache} from './code-cache.ts';

const began = performance.now();
try {
  const folder = await buildProgram();
  await makeCodeCache(folder);
  console.log(`Built ${relative(root, folder)} in ${Math.round(performance.now() - began)} ms.`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
