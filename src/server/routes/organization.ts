import type {Route} from '#server/http/route.ts';

export const organizationRoutes: readonly Route[] = [];
