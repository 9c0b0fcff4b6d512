import type {Database} from './database.ts';

export interface NavigationViewRow {
  readonly user_id: number;
  readonly fragment: string;
  readonly is_pinned: number;
  readonly name: string | null;
}

export function findNavigationView(db: Database, userId: number, fragment: string): NavigationViewRow | undefined {
  const sql = 'SELECT * FROM navigation_view WHERE user_id = ? AND fragment = ?';
  return db.get<NavigationViewRow>(sql, userId, fragment);
}

/** Returns a user's navigation views in the order they were added. */
export function navigationViewsOf(db: Database, userId: number): NavigationViewRow[] {
  const sql = 'SELECT * FROM navigation_view WHERE user_id = ? ORDER BY rowid';
  return db.all<NavigationViewRow>(sql, userId);
}
