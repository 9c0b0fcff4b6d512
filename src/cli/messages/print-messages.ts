import type {CliIo} from '#cli/io.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {AccountState} from '#state/state.ts';
import {printableJson} from '#std/printable.ts';
import type {ListedMessage} from './fetch-messages.ts';
import {MessageFormatter} from './message-formatter.ts';
import {messageJson} from './message-json.ts';
import {outputStyle} from './output-style.ts';

/** Prints messages as text or JSON. Resolves when the output was written. */
export async function printMessages(
  io: CliIo,
  state: AccountState,
  listed: readonly ListedMessage[],
  {json, color, showsConversations}: Pick<CommonOptions, 'json' | 'color'> & {readonly showsConversations: boolean},
): Promise<void> {
  if (listed.length === 0) return;
  const messages = withMessages(
    state.messages,
    listed.map(({message}) => message),
  );
  const stateWithMessages = {...state, messages};
  const formatter = new MessageFormatter(outputStyle(io, color), {showsConversations});
  const lines = listed.flatMap(({message, isUnread}) =>
    json
      ? [printableJson(messageJson(stateWithMessages, message, isUnread))]
      : formatter.lines(stateWithMessages, message),
  );
  await writeOutput(io, `${lines.join('\n')}\n`);
}

/** Writes the text and resolves when it was written. Errors of the output are handled once for all verbs. */
export function writeOutput(io: CliIo, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(text, () => resolve());
  });
}
