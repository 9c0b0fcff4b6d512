import type {Database} from './database.ts';

export interface SnippetRow {
  readonly id: number;
  readonly user_id: number;
  readonly title: string;
  readonly content: string;
  readonly created_at: number;
}

export function findSnippet(db: Database, userId: number, id: number): SnippetRow | undefined {
  return db.get<SnippetRow>('SELECT * FROM saved_snippet WHERE id = ? AND user_id = ?', id, userId);
}

export function snippetsOf(db: Database, userId: number): SnippetRow[] {
  return db.all<SnippetRow>('SELECT * FROM saved_snippet WHERE user_id = ? ORDER BY id', userId);
}
