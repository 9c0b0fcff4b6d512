import type {CliIo} from '#cli/io.ts';
import {type RefusedOverSsh, refusedOverSsh} from '#cli/restriction.ts';
import {openableAddress} from '#terminal/open-url.ts';
import type {RunProgram} from '#terminal/run-program.ts';
import {type TerminalDevice, type TerminalDeviceParts, terminalDevice} from './terminal-device.ts';

/** Runs no program. */
const noPrograms: RunProgram = async () => ({kind: 'failed', problem: 'Over SSH no program is run.'});

/** Returns the terminal and the machine, or in a session over SSH the terminal alone. `say` shows why something is refused. */
export function deviceOf(
  {restriction}: Pick<CliIo, 'restriction'>,
  parts: TerminalDeviceParts,
  say: (sentence: string) => void,
): TerminalDevice {
  if (restriction === undefined) return terminalDevice(parts);
  return restrictedDevice(terminalDevice({...parts, run: noPrograms}), say);
}

/** Replaces what would use programs and files of the machine that the session runs on. */
function restrictedDevice(device: TerminalDevice, say: (sentence: string) => void): TerminalDevice {
  const refuse = async (what: RefusedOverSsh) => {
    throw new Error(refusedOverSsh[what]);
  };
  return {
    ...device,
    get reportsShiftEnter() {
      return device.reportsShiftEnter;
    },
    open: async (url) => {
      const address = openableAddress(url);
      if (address === undefined) return 'Only web and mail addresses can be opened.';
      return `${await device.copy(address)}: ${address}`;
    },
    edit: () => refuse('editor'),
    suspend: () => say(refusedOverSsh.suspend),
    // To open a file copies its link. Where the device is remote, it would be saved.
    isRemote: false,
    readFile: () => refuse('attach'),
    clipboardImage: () => refuse('clipboardImage'),
    saveFile: () => refuse('save'),
    listFiles: () => [],
    fileProblem: refusedOverSsh.attach,
  };
}
