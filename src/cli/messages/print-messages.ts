import {type CliIo, printStyled} from '#cli/io.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {AccountState} from '#state/state.ts';
import {printableJson} from '#std/printable.ts';
import type {ListedMessage} from './fetch-messages.ts';
import {MessageFormatter} from './message-formatter.ts';
import {messageJson} from './message-json.ts';
import {messageTextOptions} from './message-text.ts';
import {outputStyle} from './output-style.ts';

interface PrintOptions extends Pick<CommonOptions, 'json' | 'color'> {
  /** Prints the Markdown source. */
  readonly raw: boolean;
  readonly showsConversations: boolean;
  readonly trustsNames?: boolean;
}

/** Prints messages as text or JSON. Resolves when the output was written. */
export async function printMessages(
  io: CliIo,
  state: AccountState,
  listed: readonly ListedMessage[],
  {json, color, raw, showsConversations, trustsNames}: PrintOptions,
): Promise<void> {
  if (listed.length === 0) return;
  const messages = withMessages(
    state.messages,
    listed.map(({message}) => message),
  );
  const stateWithMessages = {...state, messages};
  const text = messageTextOptions(state, io.clock.now(), trustsNames);
  const formatter = new MessageFormatter(outputStyle(io, color), {
    showsConversations,
    text: raw ? undefined : () => text,
  });
  const lines = listed.flatMap(({message, isUnread}) =>
    json
      ? [printableJson(messageJson(stateWithMessages, message, isUnread, text))]
      : formatter.lines(stateWithMessages, message),
  );
  await printStyled(io, lines.join('\n'));
}
