// @ts-check
// Shows the API reference at /docs.

const { SwaggerUIBundle } = /** @type {any} */ (window);

SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#reference",
	// Swagger UI would rewrite the fragment of a link to an error code.
	deepLinking: !location.hash.startsWith("#error"),
	filter: true,
	docExpansion: "list",
	defaultModelsExpandDepth: 0,
	tryItOutEnabled: true,
	validatorUrl: null,
});
