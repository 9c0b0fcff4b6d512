import type {AccountStore} from '#state/account-store.ts';

/** Saves JSON texts as the saved state. */
export function saveStateTexts(
  {savedState: snapshot}: AccountStore,
  texts: Readonly<Record<string, string>>,
  savedAt: number,
): void {
  const parts = Object.entries(texts).map(([name, text]) => [name, snapshot.packNow(Buffer.from(text))] as const);
  snapshot.save(new Map(parts), savedAt);
}
