import {homedir} from 'node:os';
import {PlainFailure} from '#cli/failures.ts';
import {type StatusOptions, statusText} from './status-text.ts';

/** A file of its own, which `launcher.cjs` runs for `parley ctl status`: the program would take longer to load than Node. */

/** Returns what to print and the exit code; undefined when only the program can say what is wrong. */
export function quickStatus(argv: readonly string[]): {readonly text: string; readonly exitCode: number} | undefined {
  try {
    const options = statusOptions(argv);
    return options && {text: statusText(options, process.env, homedir()), exitCode: 0};
  } catch (error) {
    return error instanceof PlainFailure ? {text: error.message, exitCode: error.exitCode} : undefined;
  }
}

/** Returns undefined for a command line that it does not understand. */
function statusOptions(argv: readonly string[]): StatusOptions | undefined {
  const options: {format?: string; account?: string; pid?: number; json?: boolean} = {};
  for (let at = 0; at < argv.length; at++) {
    const [word, name, joined] = /^--(format|account|pid|json)(?:=(.*))?$/s.exec(argv[at] ?? '') ?? [];
    if (word === '--json') {
      options.json = true;
      continue;
    }
    const value = joined ?? argv[++at];
    if (value === undefined || (joined === undefined && value.startsWith('-'))) return undefined;
    if (name === 'format' || name === 'account') options[name] = value;
    else if (name === 'pid' && /^\d{1,9}$/.test(value)) options.pid = Number(value);
    else return undefined;
  }
  return options;
}
