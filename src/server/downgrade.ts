import type {UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/event-queues.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import type {ClientCapabilities} from '#wire/register.ts';
import type {ApiError} from './errors.ts';
import type {JsonText} from './json-text.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A request's checked parameters, which an older server may interpret differently or refuse. */
export type RequestParams = Record<string, unknown>;

export interface SentEvent {
  readonly type: string;
  readonly body: EventBody;
}

/** The rewrites that make the server look like one of an older feature level to its clients. */
export interface Downgrade {
  /** Whether responses list the parameters that were ignored. */
  readonly reportsIgnoredParams: boolean;
  response(endpointId: string, body: Json | JsonText): Json | JsonText;
  error(error: ApiError): ApiError;
  request(endpointId: string, params: RequestParams, actor: UserRow | undefined): void;
  /** Returns the user with the role that decides this endpoint's permissions. */
  actor(endpointId: string, actor: UserRow): UserRow;
  event(type: string, body: EventBody): readonly SentEvent[];
  capabilities(sent: ClientCapabilities): ClientCapabilities;
  organization(settings: OrganizationSettings): OrganizationSettings;
  /** The event types that this level does not have yet. */
  readonly unknownEventTypes: ReadonlySet<string>;
}
