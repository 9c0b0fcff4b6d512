import type {ApiContext} from '#cli/account-access/with-api.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {PlainFailure, UsageError} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {readStdin} from '#cli/read-stdin.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import {realmUrl} from '#wire/objects/server-settings.ts';

/** Returns the ids of the messages that a command line names by id or link, each once. */
export async function messageIds(context: ApiContext, words: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const word of words) {
    const id = idIn(word);
    if (id === undefined) throw new UsageError(`“${word}” is not a message. Give its id or its link.`);
    if (/^https?:/i.test(word) && !(await isThisServer(context, word))) {
      throw new PlainFailure('This link is for another organization.');
    }
    ids.push(id);
  }
  return [...new Set(ids)];
}

/** Returns the id of the only message that a command line names. */
export async function messageId(context: ApiContext, word: string): Promise<number> {
  const [id = 0] = await messageIds(context, [word]);
  return id;
}

function idIn(word: string): number | undefined {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  // Only the message counts, so it does not matter which channel an old link means.
  const terms = parseNarrowLink(word, () => 0) ?? [];
  const target = terms.find(({operator}) => ['near', 'with', 'id'].includes(operator));
  return typeof target?.operand === 'number' ? target.operand : undefined;
}

/** Asks the server for its own address if the link has another one than the account. */
async function isThisServer({api}: ApiContext, link: string): Promise<boolean> {
  const host = URL.parse(link)?.host;
  if (host === URL.parse(api.connection.site)?.host) return true;
  const url = realmUrl(await api.getServerSettings({}));
  return url !== undefined && URL.parse(url)?.host === host;
}

/** Fetches a message with its Markdown source. */
export async function fetchMessage({api, state}: StateContext, id: number): Promise<Message> {
  const {message} = await api.getMessage({message_id: id, apply_markdown: false});
  return messageFromWire(message, message.flags, state.self.userId);
}

/** Returns the text that `-m` gives, or standard input: for “-” always, else unless it is a terminal. */
export async function contentFrom(
  {message, word}: {readonly message: string | undefined; readonly word: string | undefined},
  io: CliIo,
): Promise<string> {
  if (word !== undefined && word !== '-') {
    throw new UsageError(`Unexpected argument “${word}”. Give the text with -m, or “-” for standard input.`);
  }
  if (message !== undefined) {
    if (word === '-') throw new UsageError('Give the text with -m or on standard input, not both.');
    return message;
  }
  if (word !== '-' && io.inputIsTty) {
    throw new UsageError('No message text. Give it with -m, or pipe it in.');
  }
  return readStdin(io);
}
