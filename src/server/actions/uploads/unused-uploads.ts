import type {ActionContext} from '#server/context.ts';
import {type AttachmentRow, findAttachment} from '#server/db/organization-items.ts';
import {findUser} from '#server/db/users.ts';
import {deleteAttachment} from './attachments.ts';

/** The time after which an upload that nothing links to is deleted, as on Zulip's servers. */
const keptSeconds = 5 * 7 * 86_400;
/** The uploads that one action deletes: others wait meanwhile. */
const uploadsPerAction = 100;

/** What may link to an upload besides messages: its column with Markdown, by table. */
const otherTexts = {draft: 'content', scheduled_message: 'content', saved_snippet: 'content', channel: 'description'};

const isLinked = /* sql */ `(EXISTS (SELECT 1 FROM attachment_message WHERE attachment_id = a.id)
  OR EXISTS (SELECT 1 FROM archived_attachment WHERE attachment_id = a.id))`;

/** Notes the uploads that no message links to, and deletes some of those that have been so for weeks. Returns how many. */
export function deleteUnusedUploads(act: ActionContext): number {
  const {db, now} = act;
  db.run(`DELETE FROM unused_upload WHERE attachment_id IN
    (SELECT u.attachment_id FROM unused_upload AS u LEFT JOIN attachment AS a ON a.id = u.attachment_id
     WHERE a.id IS NULL OR ${isLinked})`);
  db.run(`INSERT OR IGNORE INTO unused_upload SELECT a.id, ? FROM attachment AS a WHERE NOT ${isLinked}`, now);
  const sql = 'SELECT attachment_id FROM unused_upload WHERE since < ? ORDER BY since LIMIT ?';
  const ids = db.pluck(sql, now - keptSeconds, uploadsPerAction);
  for (const id of ids) {
    const file = findAttachment(db, id);
    const owner = findUser(db, file?.owner_id ?? 0);
    db.deleteRows('unused_upload', {attachment_id: id});
    if (file === undefined || owner === undefined || isNamedElsewhere(act, file)) continue;
    deleteAttachment(act, owner, id);
  }
  return ids.length;
}

function isNamedElsewhere({db}: ActionContext, {path_id: path}: AttachmentRow): boolean {
  return Object.entries(otherTexts).some(
    ([table, column]) => db.get(`SELECT 1 FROM ${table} WHERE instr(${column}, ?) > 0 LIMIT 1`, path) !== undefined,
  );
}
