import type {Database} from './database.ts';

export interface ProfileFieldRow {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: number;
  /** JSON text, or an empty string. */
  readonly field_data: string;
  readonly sort_order: number;
  readonly required: number;
  readonly editable_by_user: number;
  readonly display_in_profile_summary: number;
  readonly use_for_user_matching: number;
}

export function listProfileFields(db: Database): ProfileFieldRow[] {
  return db.all<ProfileFieldRow>('SELECT * FROM profile_field ORDER BY sort_order, id');
}

export function findProfileField(db: Database, id: number): ProfileFieldRow | undefined {
  return db.get<ProfileFieldRow>('SELECT * FROM profile_field WHERE id = ?', id);
}
