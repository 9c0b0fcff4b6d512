import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {type DraftTarget, type DraftVersion, draftTargetFromJson, type LocalDraft} from '#state/model/draft.ts';
import {mapById, withItems} from '#state/model/immutable-updates.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireDraft} from '#wire/objects/personal.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

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

export const drafts: Slice<SortedMap<number, ServerDraft>, 'drafts'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['drafts'], ({drafts: all = []}, {selfId}) =>
    mapById(all.map((wire) => draftFromWire(wire, selfId))),
  ),
  saved: savedMap('number', {id: 'number', target: draftTargetFromJson, content: 'string', timestamp: 'number'}),
  appliers: {
    drafts: (before, event, {self}) => {
      if (event.op === 'remove') return before.without(event.draft_id);
      const changed = event.op === 'add' ? event.drafts : [event.draft];
      return withItems(
        before,
        changed.map((wire) => draftFromWire(wire, self.userId)),
      );
    },
  },
};

/** The drafts of this machine, which the account store saves. */
export const localDrafts: Slice<readonly LocalDraft[], 'local_drafts_changed'> = {
  initial: [],
  registered: 'kept',
  saved: 'no',
  appliers: {
    local_drafts_changed: (_before, event) => event.localDrafts,
  },
};
