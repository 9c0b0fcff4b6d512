import type {DraftTarget, DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {normalizedDraftContent, truncatedTopic} from '#state/outbox/normalize-text.ts';
import type {AccountState} from '#state/state.ts';
import type {DraftInput} from '#wire/objects/draft.ts';

export type DraftContent = Pick<DraftVersion, 'target' | 'content'>;

/** Returns the version that is about to be sent. */
export function versionToSend({target, content, editedAt}: LocalDraft): DraftVersion {
  return {target, content, timestamp: Math.floor(editedAt / 1000)};
}

/**
 * Returns whether two drafts are equal to a server, which strips texts on both sides, truncates long ones and
 * drops the topic without a channel.
 */
export function isSameOnServer(a: DraftContent, b: DraftContent, state: AccountState): boolean {
  return (
    sameTarget(a.target, b.target, state) &&
    normalizedDraftContent(a.content, state) === normalizedDraftContent(b.content, state)
  );
}

/** Returns whether two drafts have exactly the same text and recipients. */
export function isSameDraftText(a: DraftContent, b: DraftContent): boolean {
  return a.content === b.content && JSON.stringify(targetParts(a.target)) === JSON.stringify(targetParts(b.target));
}

function sameTarget(a: DraftTarget, b: DraftTarget, state: AccountState): boolean {
  if (a.kind === 'none') return b.kind === 'none';
  if (a.kind === 'direct') return b.kind === 'direct' && a.userIds.join() === b.userIds.join();
  return (
    b.kind === 'topic' &&
    a.channelId === b.channelId &&
    truncatedTopic(a.topic, state) === truncatedTopic(b.topic, state)
  );
}

function targetParts(target: DraftTarget): readonly unknown[] {
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
