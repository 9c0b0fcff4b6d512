import {type ImportContext, importedRows} from './import-context.ts';
import {newEmoji} from './import-personal.ts';
import type {Row} from './row.ts';

/** Imports the reactions and the answers in polls and to-do lists; the messages must exist. */
export function importReactions(context: ImportContext): void {
  const {db, users, report} = context;
  for (const row of context.realm.rows('zerver_reaction')) {
    const emoji = newEmoji(context, row);
    if (emoji === undefined) {
      report.leaveOut('reactions with an emoji that is not imported');
      continue;
    }
    const sql = `INSERT OR IGNORE INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)
      VALUES (?, ?, ?, ?, ?)`;
    db.run(sql, messageOf(context, row), users.of(row, 'user_profile'), ...emoji);
    report.count('reaction');
  }
  for (const row of importedRows(context, 'submessage')) {
    db.run(
      'INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)',
      messageOf(context, row),
      users.of(row, 'sender'),
      row.optionalText('msg_type', 100) ?? 'widget',
      // A vote for an option that somebody added names that person.
      row.text('content', 1_000_000).replace(/("key":\s*")(\d{1,15})(?=,)/, (all, before, id) => {
        const user = users.get(Number(id));
        return user === undefined ? all : `${before}${user}`;
      }),
    );
  }
}

function messageOf({db}: ImportContext, row: Row): number {
  const old = row.number('message');
  const id = db.value('SELECT new FROM work.message WHERE old = ?', old);
  return id ?? row.fail(`“message” names ${old}, which is not in the export.`);
}
