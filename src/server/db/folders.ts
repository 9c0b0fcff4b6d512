import type {Database} from './database.ts';

export interface FolderRow {
  readonly id: number;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly sort_order: number;
  readonly created_at: number;
  readonly creator_id: number | null;
  readonly is_archived: number;
}

export function findFolder(db: Database, id: number): FolderRow | undefined {
  return db.get<FolderRow>('SELECT * FROM channel_folder WHERE id = ?', id);
}

/** Returns the channel folders in their display order. */
export function listFolders(db: Database): FolderRow[] {
  return db.all<FolderRow>('SELECT * FROM channel_folder ORDER BY sort_order, id');
}
