import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';

export interface CustomEmojiRow {
  readonly id: number;
  readonly name: string;
  readonly author_id: number | null;
  /** Path in the file store; on the web it is behind `/user_avatars/`. */
  readonly file: string;
  readonly deactivated: number;
}

/** Active and deactivated, oldest first. Forget it when custom emoji change. */
export const customEmojiRows: DerivedFact<readonly CustomEmojiRow[]> = {
  name: 'custom-emoji-rows',
  derive: (db: Database) => db.all<CustomEmojiRow>('SELECT * FROM realm_emoji ORDER BY id'),
};
