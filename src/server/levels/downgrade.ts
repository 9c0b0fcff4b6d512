import type {UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/emitted-event.ts';
import type {ApiError} from '#server/http/errors.ts';
import type {JsonText} from '#server/http/json-text.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import type {ClientCapabilities} from '#wire/register.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Checked parameters, which an older server reads otherwise or refuses. */
export type RequestParams = Record<string, unknown>;

export interface SentEvent {
  readonly type: string;
  readonly body: EventBody;
}

/** A server of an older level, seen from outside: everything that leaves passes through here. */
export interface Downgrade {
  /** Whether a success tells which parameters it ignored. */
  readonly reportsIgnoredParams: boolean;
  response(endpointId: string, answer: Json | JsonText): Json | JsonText;
  error(error: ApiError): ApiError;
  request(endpointId: string, params: RequestParams, actor: UserRow | undefined): void;
  /** The person as this endpoint's permissions see them. */
  actor(endpointId: string, actor: UserRow): UserRow;
  event(type: string, body: EventBody): readonly SentEvent[];
  capabilities(given: ClientCapabilities): ClientCapabilities;
  organization(settings: OrganizationSettings): OrganizationSettings;
  /** Event types that this level does not know yet. */
  readonly unknownEventTypes: ReadonlySet<string>;
}
