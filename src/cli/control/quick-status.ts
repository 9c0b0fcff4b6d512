/** A file of its own, which `launcher.cjs` runs for `parley ctl status`: the program would take longer to load than Node. */

import {parseArgs} from 'node:util';
import {PlainFailure} from '#cli/io.ts';
import {homeDirectory} from '#std/home-directory.ts';
import {statusText} from './status-text.ts';

const text = {type: 'string'} as const;
const options = {format: text, account: text, pid: text, json: {type: 'boolean'}} as const;

/** Returns what to print and the exit code; undefined when only the program can say what is wrong. */
export function quickStatus(args: readonly string[]): {readonly text: string; readonly exitCode: number} | undefined {
  try {
    const {pid, ...values} = parseArgs({args: [...args], options}).values;
    if (pid !== undefined && !/^\d{1,9}$/.test(pid)) return undefined;
    const choice = pid === undefined ? {} : {pid: Number(pid)};
    return {text: statusText({...values, ...choice}, process.env, homeDirectory()), exitCode: 0};
  } catch (error) {
    return error instanceof PlainFailure ? {text: error.message, exitCode: error.exitCode} : undefined;
  }
}
