import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {QueueOptions} from '#server/event-queues/event-queue.ts';

/** A registration request, as the functions that make its response see it. */
export interface SnapshotRequest {
  readonly act: ActionContext;
  readonly viewer: UserRow;
  readonly options: QueueOptions;
  readonly includeSubscribers: 'false' | 'true' | 'partial';
  readonly presenceHistoryDays: number;
  /** The fetch types of this registration; undefined means all. */
  readonly fetchTypes: ReadonlySet<string> | undefined;
}

/** Returns the keys that one fetch type contributes to the response. */
type SnapshotBlock = (request: SnapshotRequest) => Readonly<Record<string, unknown>>;
/** Blocks by fetch type. */
export type SnapshotBlocks = Readonly<Record<string, SnapshotBlock>>;
