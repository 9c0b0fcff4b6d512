import type {KeyValueStore} from '#state/account-store.ts';

const noteName = 'outbox.arrivals';
/** Entries are settled one after another, so only the latest can be in doubt. */
const mostKept = 100;

type DeliveryRecord = readonly [messageId: number, entryId: string];

/**
 * Which messages the latest entries became, on disk and common to all programs, so that the same text sent twice is never
 * taken for one message.
 */
export class DeliveryRecords {
  readonly #notes: KeyValueStore;

  constructor(notes: KeyValueStore) {
    this.#notes = notes;
  }

  add(messageId: number, entryId: string): void {
    const others = this.#all().filter(([, id]) => id !== entryId);
    const kept = [...others, [messageId, entryId] satisfies DeliveryRecord].slice(-mostKept);
    this.#notes.set(noteName, JSON.stringify(kept));
  }

  newestMessageId(): number {
    return this.#all().reduce((newest, [messageId]) => Math.max(newest, messageId), -1);
  }

  messageIdOf(entryId: string): number | undefined {
    return this.#all().find(([, id]) => id === entryId)?.[0];
  }

  entryIdOf(messageId: number): string | undefined {
    return this.#all().find(([id]) => id === messageId)?.[1];
  }

  #all(): readonly DeliveryRecord[] {
    const text = this.#notes.get(noteName);
    if (text === undefined) return [];
    try {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) ? list.filter(isDeliveryRecord) : [];
    } catch {
      return [];
    }
  }
}

function isDeliveryRecord(value: unknown): value is DeliveryRecord {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string';
}
