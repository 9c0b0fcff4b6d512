import {UsageError} from './cli/usage.ts';

/** Failures that are the situation's, not the program's: a sentence is enough. */
const plainFailures = new Set(['UsageError', 'DatabaseInUse', 'OtherWorld']);

const help = `Parley: keyboard-first team chat in the terminal

  parley                 serve the demo organization (the same as: parley serve)
  parley serve …         serve an organization; "parley serve --help" lists the options
  parley --version       print the version
  parley --help          print this
`;

/** argv → one command. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await run(argv);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const sentence = plainFailures.has(error.name) ? error.message : listenFailure(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const [command = 'serve', ...rest] = argv;
  switch (command) {
    case 'serve': {
      const {serve} = await import('./cli/serve.ts');
      return serve(rest);
    }
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(help);
      return;
    case '--version':
    case '-v': {
      const {default: manifest} = await import('../package.json', {with: {type: 'json'}});
      process.stdout.write(`${manifest.version}\n`);
      return;
    }
    default:
      throw new UsageError(`There is no command “${command}”. “parley --help” lists them.`);
  }
}

function listenFailure(error: Error): string | undefined {
  const {code, address, port} = {code: '', address: '', port: '', ...error};
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is taken. Choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES')
    return `Not allowed to listen on ${address}:${port}. Ports below 1024 need more rights.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${address}.`;
  return undefined;
}
