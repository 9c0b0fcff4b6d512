import type {DraftTarget, DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {keptDraftTopic, keptText} from '#state/outbox/normalize-text.ts';
import type {AccountState} from '#state/state.ts';
import type {DraftInput} from '#wire/objects/draft.ts';

export type Said = Pick<DraftVersion, 'target' | 'content'>;

/** What is about to be sent. */
export function versionOf({target, content, editedAt}: LocalDraft): DraftVersion {
  return {target, content, timestamp: Math.floor(editedAt / 1000)};
}

/** The same to a server: it trims texts, cuts what is too long, and keeps no topic without a channel. */
export function saysTheSame(a: Said, b: Said, state: AccountState): boolean {
  return sameTarget(a.target, b.target, state) && keptText(a.content, state) === keptText(b.content, state);
}

/** The same to a person, to the letter. */
export function isTheSame(a: Said, b: Said): boolean {
  return a.content === b.content && JSON.stringify(wordsOf(a.target)) === JSON.stringify(wordsOf(b.target));
}

function sameTarget(a: DraftTarget, b: DraftTarget, state: AccountState): boolean {
  if (a.kind === 'none') return b.kind === 'none';
  if (a.kind === 'direct') return b.kind === 'direct' && a.userIds.join() === b.userIds.join();
  return (
    b.kind === 'topic' &&
    a.channelId === b.channelId &&
    keptDraftTopic(a.topic, state) === keptDraftTopic(b.topic, state)
  );
}

function wordsOf(target: DraftTarget): readonly unknown[] {
  if (target.kind === 'topic') return [target.channelId, target.topic];
  return target.kind === 'direct' ? target.userIds : ['', target.topic];
}

export function wireDraft({target, content, timestamp}: DraftVersion, selfId: number): DraftInput {
  const common = {content, timestamp};
  switch (target.kind) {
    case 'topic':
      return {type: 'stream', to: [target.channelId], topic: target.topic, ...common};
    case 'direct': {
      const {userIds} = target;
      return {type: 'private', to: userIds.length === 0 ? [selfId] : [...userIds], topic: '', ...common};
    }
    case 'none':
      return {type: '', to: [], topic: '', ...common};
  }
}
