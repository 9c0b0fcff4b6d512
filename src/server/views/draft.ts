import type {DraftRow} from '#server/db/drafts.ts';
import type {WireDraft} from '#wire/objects/draft.ts';

export function draftView(row: DraftRow): WireDraft {
  return {
    id: row.id,
    type: row.type,
    to: JSON.parse(row.recipients),
    topic: row.topic,
    content: row.content,
    timestamp: row.edited_at,
  };
}
