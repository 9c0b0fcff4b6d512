import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type References, userCalled} from './message-references.ts';
import {joinedNames, type Warning} from './warning.ts';

/** Warns about mentions and links without their closing asterisks, and offers to add those whose name is known. */
export function notClosed(state: AccountState, text: string, {unclosed}: References): readonly Warning[] {
  if (unclosed.size === 0) return [];
  let closed = text;
  const shown = [...unclosed].map((written) => {
    const known = knownReference(state, written);
    if (known !== undefined)
      closed = closed.replace(written, () => known.closed + withGap(written.slice(known.length)));
    return composed`“${known === undefined ? written.split(/\s/u, 1)[0] : written.slice(0, known.length)}”`;
  });
  const [verb, pronoun] = shown.length === 1 ? ['has', 'it is'] : ['have', 'they are'];
  const sentence = `${joinedNames(shown)} ${verb} no ** at the end: ${pronoun} sent as plain text.`;
  const fix = {kind: 'close', text: closed} as const;
  return [{kind: 'not_closed', text: sentence, isBlocking: false, ...(closed !== text && {fix})}];
}

/** Returns the text after a reference with a space in front, unless it begins with a space or punctuation. */
function withGap(after: string): string {
  return /^[\p{L}\p{N}]/u.test(after) ? ` ${after}` : after;
}

/**
 * Returns the closed form of an unclosed mention or link, and how much of the text it replaces: the longest beginning that
 * names a user, a channel, or a channel and a topic.
 */
function knownReference(
  state: AccountState,
  written: string,
): {readonly closed: string; readonly length: number} | undefined {
  const start = written.indexOf('**') + 2;
  const names = beginnings(written.slice(start));
  const closedAt = (name: string) => ({closed: `${written.slice(0, start)}${name}**`, length: start + name.length});
  if (written.startsWith('@')) {
    const name = names.find((one) => userCalled(state, one)?.isActive === true);
    return name === undefined ? undefined : closedAt(name);
  }
  const channelIn = (one: string) => channelNamed(state, one.replace(/>$/, ''));
  const found = names.find((one) => channelIn(one) !== undefined);
  const channel = found === undefined ? undefined : channelIn(found);
  if (found === undefined || channel === undefined) return undefined;
  const {closed} = closedAt(channel.name);
  const link = {closed, length: start + found.length};
  if (!found.endsWith('>')) return link;
  const topic = beginnings(written.slice(link.length)).find((one) => topicExists(state, channel.id, one) === true);
  return topic === undefined ? link : closedAt(`${channel.name}>${topic}`);
}

/** Returns the beginnings of a text that end before a character that may follow a name, or with a `>`; longest first. */
function beginnings(text: string): readonly string[] {
  const ends = Array.from(text.matchAll(/(?<=>)|(?![\p{L}\p{N}\p{M}])/gu), ({index}) => index);
  return ends.reverse().flatMap((end) => (end === 0 ? [] : [text.slice(0, end)]));
}
