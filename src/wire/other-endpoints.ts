import * as accountServices from './endpoints/account-services.ts';
import * as administration from './endpoints/administration.ts';

/** The endpoints that other clients call and this one does not. They are apart, so that it does not load them. */
export const otherEndpoints = {...accountServices, ...administration};
