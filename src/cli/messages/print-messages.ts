import type {CliIo} from '#cli/io.ts';
import type {EveryVerb} from '#cli/verbs/verb.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {AccountState} from '#state/state.ts';
import {jsonText} from '#std/printable.ts';
import type {Listed} from './fetch-messages.ts';
import {MessageText} from './message-formatter.ts';
import {messageJson} from './message-json.ts';
import {styleOf} from './output-style.ts';

/** Resolves when whoever reads the output has it. */
export async function printMessages(
  io: CliIo,
  state: AccountState,
  listed: readonly Listed[],
  {json, color, showsPlaces}: Pick<EveryVerb, 'json' | 'color'> & {readonly showsPlaces: boolean},
): Promise<void> {
  if (listed.length === 0) return;
  const messages = withMessages(
    state.messages,
    listed.map(({message}) => message),
  );
  const known = {...state, messages};
  const text = new MessageText(styleOf(io, color), {showsPlaces});
  const lines = listed.flatMap(({message, isUnread}) =>
    json ? [jsonText(messageJson(known, message, isUnread))] : text.lines(known, message),
  );
  await written(io, `${lines.join('\n')}\n`);
}

/** Resolves when the text is out; what is wrong with the output is told elsewhere, once for all. */
export function written(io: CliIo, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(text, () => resolve());
  });
}
