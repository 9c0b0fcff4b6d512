import {directConversation, topicConversation} from '#state/model/conversation.ts';
import type {DraftTarget, DraftVersion} from '#state/model/draft.ts';
import type {WireDraft} from '#wire/objects/personal.ts';

/** A draft as the server has it. */
export interface ServerDraft extends DraftVersion {
  readonly id: number;
}

export function draftFromWire(wire: WireDraft, selfId: number): ServerDraft {
  return {
    id: wire.id,
    target: draftTarget(wire, selfId),
    content: wire.content,
    timestamp: wire.timestamp ?? 0,
  };
}

/** An empty recipient list means that none is chosen yet: drafts to oneself name the user. */
function draftTarget({type, to, topic}: WireDraft, selfId: number): DraftTarget {
  const [first] = to;
  if (type === '' || first === undefined) return {kind: 'none', topic};
  return type === 'stream' ? topicConversation(first, topic) : directConversation(to, selfId);
}
