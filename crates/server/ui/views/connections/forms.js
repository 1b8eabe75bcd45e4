// @ts-check
import { t } from "../../lang/lang.js";
import { faultOf } from "../../parts/fields.js";

/** Sends a form from the button in the footer of its dialog, with the checks of the browser. @param {string} id */
export const submits = (id) => () => /** @type {HTMLFormElement | null} */ (document.getElementById(id))?.requestSubmit();

/** A fault of the service begins after the name of its field. @param {string} label @param {string} [fault] */
export const withName = (label, fault) => fault && t("connections-fault", { field: label, message: fault });

/** @param {unknown} error @param {string} field */
export const idFault = (error, field) => withName(t("connections-name"), faultOf(error, field));
