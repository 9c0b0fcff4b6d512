import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {QueueOptions} from '#server/event-queues/event-queue.ts';

/** What a registration asked for, as the blocks of its answer see it. */
export interface SnapshotRequest {
  readonly act: ActionContext;
  readonly viewer: UserRow;
  readonly options: QueueOptions;
  readonly includeSubscribers: 'false' | 'true' | 'partial';
  readonly presenceHistoryDays: number;
  /** The fetch types of this registration; undefined = all. */
  readonly fetchTypes: ReadonlySet<string> | undefined;
}

/** The keys that one fetch type contributes to the answer. */
export type SnapshotBlock = (request: SnapshotRequest) => Readonly<Record<string, unknown>>;
export type SnapshotBlocks = Readonly<Record<string, SnapshotBlock>>;
