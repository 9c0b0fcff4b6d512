import {freshProgram, startFile} from './fresh.js';

/** Runs the bundle with this process's arguments; makes it first when the sources have changed. */
export async function runBuilt(): Promise<void> {
  await import(freshProgram() ?? startFile(await built()));
}

async function built(): Promise<string> {
  const {buildProgram} = await import('./program.ts');
  try {
    return await buildProgram();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
