import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';

export interface CustomEmojiRow {
  readonly id: number;
  readonly name: string;
  readonly author_id: number | null;
  /** The path in the file store; the URL is the same path under `/user_avatars/`. */
  readonly file: string;
  readonly deactivated: number;
}

/** Active and deactivated custom emoji, oldest first. Must be invalidated when custom emoji change. */
export const customEmojiRows: DerivedFact<readonly CustomEmojiRow[]> = {
  name: 'custom-emoji-rows',
  derive: (db: Database) => db.all<CustomEmojiRow>('SELECT * FROM realm_emoji ORDER BY id'),
};
