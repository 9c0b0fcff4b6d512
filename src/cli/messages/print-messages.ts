import type {CliIo} from '#cli/io.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {AccountState} from '#state/state.ts';
import {printableJson} from '#std/printable.ts';
import type {ListedMessage} from './fetch-messages.ts';
import {MessageFormatter} from './message-formatter.ts';
import {messageJson} from './message-json.ts';
import {outputStyle} from './output-style.ts';

/** Resolves when whoever reads the output has it. */
export async function printMessages(
  io: CliIo,
  state: AccountState,
  listed: readonly ListedMessage[],
  {json, color, showsPlaces}: Pick<CommonOptions, 'json' | 'color'> & {readonly showsPlaces: boolean},
): Promise<void> {
  if (listed.length === 0) return;
  const messages = withMessages(
    state.messages,
    listed.map(({message}) => message),
  );
  const known = {...state, messages};
  const text = new MessageFormatter(outputStyle(io, color), {showsPlaces});
  const lines = listed.flatMap(({message, isUnread}) =>
    json ? [printableJson(messageJson(known, message, isUnread))] : text.lines(known, message),
  );
  await writeOutput(io, `${lines.join('\n')}\n`);
}

/** Resolves when the text is out; what is wrong with the output is told elsewhere, once for all. */
export function writeOutput(io: CliIo, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(text, () => resolve());
  });
}
