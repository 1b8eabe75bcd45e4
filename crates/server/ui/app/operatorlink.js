// @ts-check
import { t } from "../lang/lang.js";
import { tag } from "../parts/dom.js";
import { SERVICE_URL } from "./api.js";

/** Leads operators to their console. */
export const operatorLink = () => tag("a.button.small", { href: `${SERVICE_URL}/operator` }, t("page-operator"));
