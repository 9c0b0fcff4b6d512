import type {KeyValueStore} from '#state/account-store.ts';
import {parsedJson} from '#std/parse-json.ts';

const keyName = 'outbox.arrivals';
/** Entries finish one after another, so only the latest can be in doubt. */
const maxRecords = 100;

type DeliveryRecord = readonly [messageId: number, entryId: string];

/**
 * The message ids that the latest entries became, on disk and shared by all processes, so that the same text
 * sent twice is never mistaken for one message.
 */
export class DeliveryRecords {
  readonly #keyValues: KeyValueStore;

  constructor(keyValues: KeyValueStore) {
    this.#keyValues = keyValues;
  }

  add(messageId: number, entryId: string): void {
    const others = this.#all().filter(([, id]) => id !== entryId);
    const records = [...others, [messageId, entryId] satisfies DeliveryRecord].slice(-maxRecords);
    this.#keyValues.set(keyName, JSON.stringify(records));
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
    const list = parsedJson(this.#keyValues.get(keyName));
    return Array.isArray(list) ? list.filter(isDeliveryRecord) : [];
  }
}

function isDeliveryRecord(value: unknown): value is DeliveryRecord {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string';
}
