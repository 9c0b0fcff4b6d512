import type {ActionContext, ReadContext} from '#server/context.ts';
import {alertWordWatchers} from '#server/db/personal-items.ts';
import {Flag, fold} from '#server/db/rows.ts';
import {groupIndex, isInGroup, organization, type Person} from '#server/permissions/has-permission.ts';
import {receivedAmong} from '#server/permissions/message.ts';
import {topicParticipants} from '#server/permissions/send-message.ts';
import type {MessageAnalysis} from '#server/renderer.ts';

/** The flag bits of one message per user: `base` for most users, `special` for the others. */
export interface PersonalFlags {
  readonly base: number;
  readonly special: ReadonlyMap<number, number>;
}

/** Bits that follow from a message's text; an edit recomputes these and leaves the others alone. */
export const textFlagBits =
  Flag.mentioned | Flag.mentionedByName | Flag.channelWildcard | Flag.topicWildcard | Flag.alertWord;

/** Makes messages that the user did not receive and acted on, such as by a star, appear among their own from now on. */
export function keepAsHistorical(
  act: Pick<ActionContext, 'server' | 'db'>,
  userId: number,
  ids: readonly number[],
): void {
  const received = receivedAmong(
    act,
    userId,
    ids.map((id) => ({id})),
  );
  const sql = `INSERT INTO user_message (user_id, message_id, flags) SELECT ?1, value, ?2 FROM json_each(?3) WHERE TRUE
     ON CONFLICT DO UPDATE SET flags = flags | excluded.flags`;
  act.db.run(sql, userId, Flag.historical, JSON.stringify(ids.filter((id) => !received.has(id))));
}

export function flagBitsFor(flags: PersonalFlags, userId: number): number {
  return flags.special.get(userId) ?? flags.base;
}

type FlaggedTopic = {readonly channelId: number; readonly topicKey: string};

/** Returns the flags that recipients get from the text: mentions, wildcards, alert words. */
export function flagsFromText(
  act: ReadContext,
  recipients: ReadonlySet<number>,
  {mentions, alertText}: MessageAnalysis,
  topic: FlaggedTopic | undefined,
): PersonalFlags & {readonly special: Map<number, number>} {
  const base = mentions.channelWildcard ? Flag.channelWildcard : 0;
  const special = new Map<number, number>();
  const add = (id: number, bits: number) => {
    if (recipients.has(id)) special.set(id, (special.get(id) ?? base) | bits);
  };
  for (const id of mentions.userIds) add(id, Flag.mentioned | Flag.mentionedByName);
  if (mentions.groupIds.size > 0) {
    for (const id of membersAmong(act, recipients, mentions.groupIds)) add(id, Flag.mentioned);
  }
  if (mentions.topicWildcard && topic !== undefined) {
    for (const id of topicParticipants(act, topic.channelId, topic.topicKey)) add(id, Flag.topicWildcard);
  }
  for (const id of alertWordUsers(act, alertText)) add(id, Flag.alertWord);
  return {base, special};
}

function membersAmong(
  {server, now}: ReadContext,
  recipients: ReadonlySet<number>,
  groups: ReadonlySet<number>,
): number[] {
  const index = server.derivedFacts.get(groupIndex);
  const waiting = {now, days: organization({server}).waiting_period_threshold};
  // One JSON text takes a fraction of the time of fifty thousand rows.
  const sql = `SELECT json_group_array(json_object('id', id, 'role', role, 'joined_at', joined_at))
     FROM user WHERE id IN (SELECT value FROM json_each(?))`;
  const text = server.db.value<string>(sql, JSON.stringify([...recipients]));
  const people: Person[] = JSON.parse(text ?? '[]');
  return people
    .filter((person) => [...groups].some((group) => isInGroup(index, person, group, waiting)))
    .map(({id}) => id);
}

function* alertWordUsers({server}: Pick<ActionContext, 'server'>, text: string): Iterable<number> {
  const watchers = server.derivedFacts.get(alertWordWatchers);
  if (watchers.size === 0) return;
  const folded = fold(text);
  for (const [word, ids] of watchers) if (containsWord(folded, word)) yield* ids;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Returns whether the text contains the word on its own, not as part of a longer word. */
export function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    const before = at === 0 ? '' : text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return true;
  }
  return false;
}
