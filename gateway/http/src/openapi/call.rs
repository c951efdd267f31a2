//! One call of the document while it is completed. The handler's annotation says what is particular to the call. The
//! handler's arguments, its access rule and the framework add the rest. They replace nothing that the annotation says.

use gateway_environment::config::Panel;
use gateway_identity::access::AccessRule;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{
    Content, ContentBuilder, HeaderBuilder, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
};

use crate::problem::ProblemBody;

pub const PROBLEM_JSON: &str = "application/problem+json";
pub const JSON: &str = "application/json";
pub const BINARY: &str = "application/octet-stream";

/// The name of the method, as fixtures/access/calls.tsv writes it.
pub const fn verb(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Patch => "PATCH",
        HttpMethod::Delete => "DELETE",
        HttpMethod::Head => "HEAD",
        HttpMethod::Options => "OPTIONS",
        HttpMethod::Trace => "TRACE",
    }
}

#[derive(Clone)]
pub struct CallDocument {
    pub method: HttpMethod,
    pub path: String,
    pub access: AccessRule,
    /// The panels on whose hosts the call answers.
    pub panels: &'static [Panel],
    /// The path parameter that holds the company's id, if there is one.
    pub company: Option<String>,
    pub operation: Operation,
    pub schemas: Vec<(String, RefOr<Schema>)>,
    /// The parts of the annotation that repeat an addition of the arguments, the access rule or the framework. A test
    /// requires that there are none.
    pub repeated: Vec<String>,
}

impl CallDocument {
    /// Adds a parameter, unless the annotation or an earlier argument describes it.
    pub fn parameter(&mut self, parameter: Parameter) {
        let parameters = self.operation.parameters.get_or_insert_default();
        let described = parameters.iter().find_map(|each| match each {
            RefOr::T(each) if is_same(each, &parameter) => Some(each),
            _ => None,
        });
        match described {
            Some(described) if *described == parameter => self.repeated.push(parameter.name),
            Some(_) => {}
            None => parameters.push(RefOr::T(parameter)),
        }
    }

    pub fn parameters(&mut self, parameters: impl IntoIterator<Item = Parameter>) {
        parameters
            .into_iter()
            .for_each(|parameter| self.parameter(parameter));
    }

    /// Adds a parameter that holds a text. Only a parameter of the path is required.
    pub fn text_parameter(
        &mut self,
        parameter_in: ParameterIn,
        name: &str,
        description: Option<&str>,
        example: &str,
    ) {
        let required = if parameter_in == ParameterIn::Path {
            Required::True
        } else {
            Required::False
        };
        let parameter = ParameterBuilder::new()
            .name(name)
            // Before `required`, which depends on it.
            .parameter_in(parameter_in.clone())
            .required(required)
            .description(description)
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .example(Some(example.into()));
        self.parameter(parameter.build());
    }

    /// The names of the last parameters of the path. Panics if the path has fewer.
    pub fn last_path_parameters<const N: usize>(&self) -> [String; N] {
        let segments = self.path.split('/');
        let names = segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let last = names.last_chunk::<N>().cloned();
        last.unwrap_or_else(|| panic!("{} has fewer than {N} parameters", self.path))
    }

    /// Adds the body, unless the annotation describes it.
    pub fn body<T: ToSchema>(&mut self, is_required: bool) {
        let content = self.content_of::<T>();
        let body = RequestBodyBuilder::new()
            .content(JSON, content)
            .required(is_required.then_some(Required::True));
        let body = RefOr::T(body.build());
        if self.operation.request_body.as_ref() == Some(&body) {
            self.repeated.push("the body".to_owned());
        }
        self.operation.request_body.get_or_insert(body);
    }

    /// Adds a body that is a file.
    pub fn binary_body<T: ToSchema>(&mut self) {
        let content = self.content_of::<T>();
        let body = RequestBodyBuilder::new()
            .content(BINARY, content)
            .required(Some(Required::True));
        self.operation.request_body.get_or_insert(RefOr::T(body.build()));
    }

    /// Adds the answer of an error, unless the call describes the status itself.
    pub fn problem(&mut self, status: &str, description: impl Into<String>) {
        let description = description.into();
        let answers = &mut self.operation.responses.responses;
        match answers.get(status) {
            Some(RefOr::T(answer)) if answer.description == description => {
                self.repeated.push(format!("{status} {description}"));
            }
            Some(_) => {}
            None => {
                let answer = ResponseBuilder::new().description(description).build();
                answers.insert(status.to_owned(), answer.into());
            }
        }
    }

    /// Adds a reason for an error that the call may answer for other reasons too.
    pub fn problem_also(&mut self, status: &str, reason: &str) {
        match self.operation.responses.responses.get_mut(status) {
            Some(RefOr::T(answer)) => {
                answer.description = format!("{}. {reason}", answer.description);
            }
            _ => self.problem(status, reason),
        }
    }

    pub fn success_header(&mut self, name: &str, description: &str) {
        for answer in self.successes() {
            let header = HeaderBuilder::new()
                .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
                .description(Some(description))
                .build();
            answer.headers.entry(name.to_owned()).or_insert(header.into());
        }
    }

    /// Adds another form of the answer.
    pub fn success_content<T: ToSchema>(&mut self, media_type: &str) {
        let content = self.content_of::<T>();
        for answer in self.successes() {
            answer
                .content
                .entry(media_type.to_owned())
                .or_insert(content.clone().into());
        }
    }

    /// Gives every error its content.
    pub fn complete_problems(&mut self) {
        for (status, answer) in &mut self.operation.responses.responses {
            if let RefOr::T(answer) = answer
                && status.starts_with(['4', '5'])
            {
                if !answer.content.is_empty() {
                    self.repeated.push(format!("the content of {status}"));
                }
                let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ProblemBody::name())));
                answer
                    .content
                    .insert(PROBLEM_JSON.to_owned(), content.build().into());
            }
        }
    }

    /// Whether the call reads values that can be invalid.
    pub fn reads_values(&self) -> bool {
        let in_query = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(each) if each.parameter_in == ParameterIn::Query);
        self.operation.request_body.is_some() || self.operation.parameters.iter().flatten().any(in_query)
    }

    /// Panics if the guard of the access rule does not provide what the handler takes.
    pub fn needs(&self, argument: &str, provided: bool) {
        assert!(
            provided,
            "{} {}: the guard of {:?} does not provide {argument}",
            verb(&self.method),
            self.path,
            self.access
        );
    }

    fn successes(&mut self) -> impl Iterator<Item = &mut Response> {
        let answers = self.operation.responses.responses.iter_mut();
        answers.filter_map(|(status, answer)| match answer {
            RefOr::T(answer) if status.starts_with('2') => Some(answer),
            _ => None,
        })
    }

    fn content_of<T: ToSchema>(&mut self) -> Content {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(T::name())))
            .build()
    }
}

/// A parameter is identified by its name and its place.
fn is_same(one: &Parameter, other: &Parameter) -> bool {
    one.name == other.name && one.parameter_in == other.parameter_in
}
