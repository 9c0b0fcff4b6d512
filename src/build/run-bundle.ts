import {builtProgram, startFile} from './built-program.js';

/** Runs the bundle with this process's arguments. */
export async function runBundle(): Promise<void> {
  await import(await bundleAddress());
}

/** Returns the URL of the bundle's start file. Builds it first when the sources have changed since the last build. */
export async function bundleAddress(): Promise<string> {
  return builtProgram() ?? startFile(await build());
}

async function build(): Promise<string> {
  const {buildProgram} = await import('./build-program.ts');
  console.error('Building Parley. This takes a few seconds and happens only when its sources have changed…');
  try {
    return await buildProgram();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
