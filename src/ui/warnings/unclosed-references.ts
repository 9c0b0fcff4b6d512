import {isoInstant} from '#content/iso-instant.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {channelNamed, groupCalled} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type References, userCalled} from './message-references.ts';
import {joinedNames, type Warning} from './warning.ts';

/** Warns about mentions, links and times without their end, and offers to add it to those that are known. */
export function notClosed(state: AccountState, text: string, {unclosed}: References): readonly Warning[] {
  let closed = text;
  const shown = [...unclosed].map((written) => {
    const known = knownReference(state, written);
    if (known !== undefined)
      closed = closed.replace(written, () => known.closed + withGap(written.slice(known.length)));
    const name = known === undefined ? written.split(/\s/u, 1)[0] : written.slice(0, known.length);
    return {end: endOf(written), name: composed`“${name}”`};
  });
  const fix = {kind: 'close', text: closed} as const;
  return [...Map.groupBy(shown, ({end}) => end)].map(([end, some], at): Warning => {
    const [verb, pronoun] = some.length === 1 ? ['has', 'it is'] : ['have', 'they are'];
    const names = joinedNames(some.map(({name}) => name));
    const sentence = `${names} ${verb} no ${end} at the end: ${pronoun} sent as plain text.`;
    return {kind: 'not_closed', text: sentence, isBlocking: false, ...(at === 0 && closed !== text && {fix})};
  });
}

/** Returns what closes a mention, a link or a time. */
function endOf(written: string): string {
  if (written.startsWith('<')) return '>';
  return written.includes('**') ? '**' : '*';
}

/** Returns the text after a reference with a space in front, unless it begins with a space or punctuation. */
function withGap(after: string): string {
  return /^[\p{L}\p{N}]/u.test(after) ? ` ${after}` : after;
}

/**
 * Returns the closed form of an unclosed mention, link or time, and how much of the text it replaces: the longest beginning that
 * names a user, a group, a channel, or a channel and a topic, or is a time.
 */
function knownReference(
  state: AccountState,
  written: string,
): {readonly closed: string; readonly length: number} | undefined {
  const start = /^(?:<time:|[^*]*\*+)/.exec(written)?.[0].length ?? 0;
  const end = endOf(written);
  const names = beginnings(written.slice(start));
  const closedAt = (name: string) => ({closed: `${written.slice(0, start)}${name}${end}`, length: start + name.length});
  if (!written.startsWith('#')) {
    const isKnown = (one: string) => {
      if (end === '>') return isoInstant(one) !== undefined && one === one.trim();
      if (end === '*') return groupCalled(state, one, true)?.isDeactivated === false;
      return userCalled(state, one)?.isActive === true;
    };
    const name = names.find(isKnown);
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
